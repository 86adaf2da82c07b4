-- What the exchange says about itself for a while: banners on the home page, popups shown once.
CREATE TABLE campaigns_item (
  key {{text}} PRIMARY KEY,
  kind {{text}} NOT NULL CHECK (kind IN ('banner', 'popup')),
  title {{text}} NOT NULL,
  body {{text}} NOT NULL,
  action {{text}} NOT NULL,
  target {{text}} NOT NULL,
  -- everybody, visitors who are not signed in, or those who are.
  audience {{text}} NOT NULL CHECK (audience IN ('all', 'visitors', 'members')),
  position {{integer}} NOT NULL,
  starts_at_ms {{integer}} NOT NULL,
  ends_at_ms {{integer}},
  set_by {{text}} NOT NULL,
  set_at_ms {{integer}} NOT NULL
);

INSERT INTO campaigns_item (key, kind, title, body, action, target, audience, position, starts_at_ms, ends_at_ms, set_by, set_at_ms) VALUES
  ('test-funds', 'banner', 'Practise first', 'The market here is simulated and test funds are free. Every rule is the real one.', 'How to get test funds', '/help/articles/test-funds', 'all', 0, 0, NULL, 'release', 0),
  ('reverse', 'banner', 'Turn a position around', 'One press closes a long and opens a short. See what it costs before you try it.', 'Open the calculator', '/tomato-futures-reverse', 'all', 1, 0, NULL, 'release', 0),
  ('college', 'banner', 'Learn how orders travel', 'Short lessons with questions, from the first order to a program of your own.', 'Go to the college', '/college', 'all', 2, 0, NULL, 'release', 0);

-- Which popups an account has closed; a browser without an account remembers by itself.
CREATE TABLE campaigns_seen (
  user_id {{integer}} NOT NULL,
  key {{text}} NOT NULL,
  seen_at_ms {{integer}} NOT NULL,
  PRIMARY KEY (user_id, key)
);
