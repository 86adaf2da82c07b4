-- A picture as a chat shows it, sealed like the whole one; missing where it would save nothing and in pictures of before.
ALTER TABLE otcorders_file ADD COLUMN small_sealed {{bytes}};
