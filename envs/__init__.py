"""Gymnasium environments of the games: spaces, observations, masks, rewards, seats, drawing."""
