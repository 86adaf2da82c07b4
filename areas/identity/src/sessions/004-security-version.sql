-- The security version of an account, raised by whatever changes its security; no row means 0. A session lives while it
-- carries the present one, and whatever was under way at an older one has to begin again.
CREATE TABLE sessions_account (
  user_id {{integer}} PRIMARY KEY,
  version {{integer}} NOT NULL
);
ALTER TABLE sessions_session ADD COLUMN version {{integer}} NOT NULL DEFAULT 0;
ALTER TABLE sessions_ticket ADD COLUMN version {{integer}} NOT NULL DEFAULT 0;
