-- What was liquidated in a day is asked by everybody who looks at a contract.
CREATE INDEX markets_liquidation_by_time ON markets_liquidation (market, time_ms);
