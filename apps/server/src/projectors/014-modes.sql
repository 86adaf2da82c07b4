-- How an account held its positions, from which command on: an order was about the side of a hedge it was placed in.
CREATE TABLE engine_perp_modes (
  account {{integer}} NOT NULL,
  sequence {{integer}} NOT NULL,
  hedge {{boolean}} NOT NULL,
  PRIMARY KEY (account, sequence)
);
-- What was before is not known any more: the past is told by how the account is now.
INSERT INTO engine_perp_modes (account, sequence, hedge)
  SELECT account, 0, hedge FROM engine_perp_settings WHERE market = 0;
