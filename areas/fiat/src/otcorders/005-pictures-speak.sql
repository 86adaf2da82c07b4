-- Pictures are evidence as words are: how many each side has shown since the complaint was opened.
ALTER TABLE otcorders_complaint ADD COLUMN buyer_pictures {{integer}} NOT NULL DEFAULT 0;
ALTER TABLE otcorders_complaint ADD COLUMN seller_pictures {{integer}} NOT NULL DEFAULT 0;
UPDATE otcorders_complaint SET buyer_pictures = (
  SELECT count(*) FROM otcorders_file f JOIN otcorders_order o ON o.order_id = f.order_id AND o.buyer_id = f.user_id
  WHERE f.order_id = otcorders_complaint.order_id AND f.purpose = 'evidence' AND f.created_ms >= otcorders_complaint.opened_ms
), seller_pictures = (
  SELECT count(*) FROM otcorders_file f JOIN otcorders_order o ON o.order_id = f.order_id AND o.seller_id = f.user_id
  WHERE f.order_id = otcorders_complaint.order_id AND f.purpose = 'evidence' AND f.created_ms >= otcorders_complaint.opened_ms
);
