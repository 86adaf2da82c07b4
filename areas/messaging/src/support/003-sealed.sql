-- What people write is sealed with the installation's key: names and addresses together, each message, each picture with its
-- name. The plain columns are empty once a row is sealed; rows of before are sealed when the process starts.
ALTER TABLE support_ticket ADD COLUMN sealed {{bytes}};
ALTER TABLE support_message ADD COLUMN sealed {{bytes}};
-- Where the name is sealed, the bytes are too.
ALTER TABLE support_attachment ADD COLUMN name_sealed {{bytes}};
