-- What every page shares: exchange rates, switches, downtimes, the footer, links to social media.

-- The last rates a source gave: what one US dollar costs, as decimal text.
CREATE TABLE content_rate (
  currency {{text}} PRIMARY KEY,
  rate {{text}} NOT NULL,
  source {{text}} NOT NULL,
  is_simulated {{boolean}} NOT NULL,
  as_of_ms {{integer}} NOT NULL
);

-- An operator's rate wins over the source's until it is taken back.
CREATE TABLE content_rate_override (
  currency {{text}} PRIMARY KEY,
  rate {{text}} NOT NULL,
  set_by {{text}} NOT NULL,
  set_at_ms {{integer}} NOT NULL
);

-- Switches every visitor may read; no secret belongs here.
CREATE TABLE content_config (
  key {{text}} PRIMARY KEY,
  value {{text}} NOT NULL,
  set_by {{text}} NOT NULL,
  set_at_ms {{integer}} NOT NULL
);
INSERT INTO content_config (key, value, set_by, set_at_ms) VALUES
  ('hbtSwitch', '0', 'release', 0),
  ('systemOut', '0', 'release', 0);

-- When a module rests; a module without a row is up.
CREATE TABLE content_downtime (
  module {{text}} PRIMARY KEY,
  reason {{text}} NOT NULL,
  starts_at_ms {{integer}} NOT NULL,
  ends_at_ms {{integer}},
  set_by {{text}} NOT NULL,
  set_at_ms {{integer}} NOT NULL
);

CREATE TABLE content_footer_link (
  id {{identity}},
  column_position {{integer}} NOT NULL,
  column_title {{text}} NOT NULL,
  position {{integer}} NOT NULL,
  title {{text}} NOT NULL,
  target {{text}} NOT NULL
);
INSERT INTO content_footer_link (column_position, column_title, position, title, target) VALUES
  (0, 'Trade', 0, 'Spot', '/spot'),
  (0, 'Trade', 1, 'Futures, USDT-margined', '/futures'),
  (0, 'Trade', 2, 'Futures, coin-margined', '/delivery'),
  (0, 'Trade', 3, 'Grid strategies', '/grid'),
  (0, 'Trade', 4, 'Simulated trading', '/simulated'),
  (0, 'Trade', 5, 'OTC', '/otc'),
  (1, 'Grow', 0, 'Copy trading', '/copy'),
  (1, 'Grow', 1, 'Earn', '/earn'),
  (1, 'Grow', 2, 'Launchpad', '/launchpad'),
  (1, 'Grow', 3, 'Rewards', '/rewards'),
  (1, 'Grow', 4, 'Invite friends', '/invite'),
  (1, 'Grow', 5, 'VIP and fees', '/vip'),
  (2, 'Support', 0, 'Help centre', '/help'),
  (2, 'Support', 1, 'Submit a request', '/help/request'),
  (2, 'Support', 2, 'Complaints', '/complaints'),
  (2, 'Support', 3, 'Contact us', '/contact-us'),
  (2, 'Support', 4, 'System status', '/status'),
  (2, 'Support', 5, 'Announcements', '/news'),
  (3, 'Developers', 0, 'API reference', '/api-docs'),
  (3, 'Developers', 1, 'API keys', '/api-keys'),
  (3, 'Developers', 2, 'Trading rules', '/exchange-trading-rules'),
  (3, 'Developers', 3, 'Design system', '/docs'),
  (3, 'Developers', 4, 'Component gallery', '/docs/element-plus'),
  (3, 'Developers', 5, 'Proof of reserves', '/proof-of-reserves'),
  (3, 'Developers', 6, 'Market data export', '/market-data'),
  (4, 'Company', 0, 'Licensed activities', '/licensed-activities'),
  (4, 'Company', 1, 'User agreement', '/user-agreement'),
  (4, 'Company', 2, 'Privacy policy', '/privacy-policy'),
  (4, 'Company', 3, 'Risk disclosure', '/risk-disclosure'),
  (4, 'Company', 4, 'Legal statement', '/legal-statement'),
  (4, 'Company', 5, 'Whistleblower policy', '/whistleblower-policy');

-- Empty until the exchange has accounts of its own to name.
CREATE TABLE content_social_link (
  id {{identity}},
  position {{integer}} NOT NULL,
  kind {{text}} NOT NULL,
  title {{text}} NOT NULL,
  url {{text}} NOT NULL
);
