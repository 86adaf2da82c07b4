-- Whose devices are whose: one device of two accounts is looked at before anybody is paid for inviting the other.
CREATE INDEX sessions_device_by_key ON sessions_device (device_key);
