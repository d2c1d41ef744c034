"""Hints to the processor about memory. Kernels that compile to single instructions."""


def instruction(kernel):
    """Marks a kernel to be compiled to the machine instruction of its name, see `envs.compiled.instructions`."""
    kernel.instruction = kernel.__name__
    return kernel


@instruction
def prefetch(array, index):
    """Asks for an element of an array ahead of its use, as memory is slow; does nothing in plain mode."""
