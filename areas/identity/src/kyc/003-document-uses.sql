-- Who has ever submitted which document, refused submissions too: accounts of one document are of one person.
CREATE TABLE kyc_document_use (
  mark {{text}} NOT NULL,
  user_id {{integer}} NOT NULL,
  PRIMARY KEY (mark, user_id)
);
CREATE INDEX kyc_document_use_by_user ON kyc_document_use (user_id);
INSERT INTO kyc_document_use SELECT mark, user_id FROM kyc_document;
