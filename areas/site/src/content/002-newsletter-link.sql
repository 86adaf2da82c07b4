-- The newsletter has a page now.
INSERT INTO content_footer_link (column_position, column_title, position, title, target) VALUES
  (2, 'Support', 6, 'Newsletter', '/newsletter');
