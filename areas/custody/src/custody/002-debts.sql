-- Every reorganisation that left a debt has a lock of its own; all of them end with the debt.
CREATE TABLE custody_lock (
  restriction {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  asset {{text}} NOT NULL
);
CREATE INDEX custody_lock_by_user ON custody_lock (user_id, asset);
INSERT INTO custody_lock (restriction, user_id, asset)
  SELECT restriction, user_id, asset FROM custody_debt WHERE restriction IS NOT NULL;
-- What of a credit repays a debt: taken off the debt when it was decided, before the ledger was told.
ALTER TABLE custody_deposit ADD COLUMN repaid_units {{amount}} NOT NULL DEFAULT 0;
