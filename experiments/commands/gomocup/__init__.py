"""An agent as an engine for managers of Gomoku games that speak the Gomocup protocol."""
