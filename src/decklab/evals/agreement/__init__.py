"""How far scores agree with people, with labels, and with themselves."""
