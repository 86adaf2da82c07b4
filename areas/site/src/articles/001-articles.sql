-- Written pages: help, announcements, news, legal documents. The repository's Markdown is the first version of each;
-- what an operator has edited here is never overwritten by a newer release.
CREATE TABLE articles_document (
  kind {{text}} NOT NULL,
  slug {{text}} NOT NULL,
  title {{text}} NOT NULL,
  summary {{text}} NOT NULL,
  category {{text}} NOT NULL,
  section {{text}} NOT NULL,
  position {{integer}} NOT NULL,
  words {{text}} NOT NULL,
  body {{text}} NOT NULL,
  is_pinned {{boolean}} NOT NULL,
  is_hot {{boolean}} NOT NULL,
  -- Not shown before; a document can be scheduled.
  published_ms {{integer}} NOT NULL,
  changed_ms {{integer}} NOT NULL,
  version {{integer}} NOT NULL,
  -- The hash of the repository's text this row came from.
  seed_hash {{text}} NOT NULL,
  edited_by {{text}},
  is_withdrawn {{boolean}} NOT NULL,
  PRIMARY KEY (kind, slug)
);
CREATE INDEX articles_document_by_time ON articles_document (kind, published_ms);

-- Every earlier text, so that a reader can see what changed and when.
CREATE TABLE articles_version (
  kind {{text}} NOT NULL,
  slug {{text}} NOT NULL,
  version {{integer}} NOT NULL,
  title {{text}} NOT NULL,
  body {{text}} NOT NULL,
  changed_ms {{integer}} NOT NULL,
  changed_by {{text}} NOT NULL,
  PRIMARY KEY (kind, slug, version)
);

-- The words of each document with their weight: a full-text index both databases search alike.
CREATE TABLE articles_word (
  word {{text}} NOT NULL,
  kind {{text}} NOT NULL,
  slug {{text}} NOT NULL,
  weight {{integer}} NOT NULL,
  PRIMARY KEY (word, kind, slug)
);
CREATE INDEX articles_word_by_document ON articles_word (kind, slug);
