// How the engine and the tables made from its journal fare, as health, status and metrics tell it.

