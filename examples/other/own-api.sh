#!/bin/sh
# The exchange's own API from a shell, by curl and openssl: what the spot account holds.
set -eu
url="${CW_URL:-http://localhost:3000}"
path="/open/v1/api/v1/spot/balance"
now="$(date +%s000)"
signature="$(printf '%s\nGET\n%s\n' "$now" "$path" | openssl dgst -sha256 -hmac "$CW_API_SECRET" | sed 's/^.* //')"
curl -sS -H "x-cw-key: $CW_API_KEY" -H "x-cw-time: $now" -H "x-cw-signature: $signature" "$url$path"
