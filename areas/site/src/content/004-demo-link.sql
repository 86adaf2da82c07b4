-- The page is demo trading with virtual funds, on every exchange.
UPDATE content_footer_link SET title = 'Demo trading' WHERE target = '/simulated' AND title = 'Simulated trading';
