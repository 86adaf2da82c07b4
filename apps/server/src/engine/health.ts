// State of the engine and of the tables made from its journal, as health, status and metrics report it.

