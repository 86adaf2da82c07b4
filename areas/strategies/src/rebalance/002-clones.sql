-- Which basket was made from which.
CREATE TABLE rebalance_clone (
  rebalancer {{integer}} PRIMARY KEY,
  from_rebalancer {{integer}} NOT NULL
);
CREATE INDEX rebalance_clone_from ON rebalance_clone (from_rebalancer);
