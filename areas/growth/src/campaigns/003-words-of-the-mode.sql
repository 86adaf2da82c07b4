-- What speaks of simulation and test funds is shown by the mode and is not stored.
DELETE FROM campaigns_item WHERE key = 'test-funds' AND set_by = 'release';
