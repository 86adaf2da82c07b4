-- What a quote is worth in USDT units: counted against the limits when it is taken.
ALTER TABLE convert_quote ADD COLUMN worth_units {{amount}} NOT NULL DEFAULT 0;
-- Worth taken by the hour: of a user in all (asset ''), of the house (owner 0) what it took of a coin less what it gave.
CREATE TABLE convert_flow (
  owner_id {{integer}} NOT NULL,
  asset {{text}} NOT NULL,
  hour {{integer}} NOT NULL,
  worth_units {{amount}} NOT NULL,
  PRIMARY KEY (owner_id, asset, hour)
);
-- One row for each user who asked for a quote, and for the house (0): held while what stands behind it is counted.
CREATE TABLE convert_owner (
  owner_id {{integer}} PRIMARY KEY,
  asked {{integer}} NOT NULL
);
