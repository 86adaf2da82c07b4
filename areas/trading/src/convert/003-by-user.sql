-- What a person converted is listed by its time.
CREATE INDEX convert_quote_by_user ON convert_quote (user_id, expires_ms);
