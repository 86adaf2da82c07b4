-- Terms of almighty gold the core keeps to itself: what the operators decided, by the core's number of the grant.
CREATE TABLE bonus_terms (
  grant_id {{integer}} PRIMARY KEY,
  ratio_percent {{integer}} NOT NULL,
  leverage_max {{integer}} NOT NULL,
  reason {{text}} NOT NULL
);
