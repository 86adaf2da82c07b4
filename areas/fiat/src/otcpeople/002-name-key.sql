-- Two merchants' names differ by more than case and spaces. Those of before that do not keep theirs, marked by their number.
ALTER TABLE otcpeople_merchant ADD COLUMN name_key {{text}} NOT NULL DEFAULT '';
UPDATE otcpeople_merchant SET name_key = lower(name) || CASE WHEN EXISTS (
  SELECT 1 FROM otcpeople_merchant other
  WHERE lower(other.name) = lower(otcpeople_merchant.name) AND other.user_id < otcpeople_merchant.user_id
) THEN '#' || user_id ELSE '' END;
CREATE UNIQUE INDEX otcpeople_merchant_by_name_key ON otcpeople_merchant (name_key) WHERE name_key <> '';
