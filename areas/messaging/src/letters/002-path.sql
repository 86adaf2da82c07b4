-- Where a letter leads: a path of the site, for letters about something that has a page.
ALTER TABLE letters_letter ADD COLUMN path {{text}};
