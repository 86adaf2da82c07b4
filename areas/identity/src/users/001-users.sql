-- People with an account. The id is the core's user number. `books` says whether the core knows the account's books yet.
CREATE TABLE users_account (
  id {{integer}} PRIMARY KEY,
  email {{text}} UNIQUE,
  phone {{text}} UNIQUE,
  password_hash {{text}} NOT NULL,
  nickname {{text}} NOT NULL,
  country {{text}} NOT NULL,
  role {{text}} NOT NULL CHECK (role IN ('user', 'operator')),
  status {{text}} NOT NULL CHECK (status IN ('active', 'frozen')),
  books {{text}} NOT NULL CHECK (books IN ('intended', 'open')),
  invite_code {{text}} NOT NULL UNIQUE,
  invited_by {{integer}},
  user_language {{text}} NOT NULL,
  pricing_currency {{text}} NOT NULL,
  created_at_ms {{integer}} NOT NULL,
  CHECK (email IS NOT NULL OR phone IS NOT NULL)
);
CREATE INDEX users_account_by_books ON users_account (books);
CREATE INDEX users_account_by_inviter ON users_account (invited_by);

-- Which account of the core is which book of a user.
CREATE TABLE users_book (
  user_id {{integer}} NOT NULL,
  book {{text}} NOT NULL,
  account {{integer}} NOT NULL,
  PRIMARY KEY (user_id, book)
);

-- Forgotten passwords whose code was right. The id is a digest of what the caller holds.
CREATE TABLE users_reset (
  id {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  expires_at_ms {{integer}} NOT NULL
);
