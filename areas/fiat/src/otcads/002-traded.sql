-- An ad only for people its owner has completed an order with.
ALTER TABLE otcads_ad ADD COLUMN need_traded {{boolean}} NOT NULL DEFAULT FALSE;
