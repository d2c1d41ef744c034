"""What is legal, what a move does, who has won: plain functions on states with named fields."""
