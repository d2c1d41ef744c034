"""N games in one compiled call: the kernel, what an opponent gives to it, and the arrays that it fills."""
