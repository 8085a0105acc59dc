#!/bin/sh
# Makes the secrets of compose.yaml in the folder "secrets", once, as root. Existing secrets are never replaced.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir secrets
random() { head -c 32 /dev/urandom | base64 | tr -d '\n=' | tr '+/' 'ab'; }

password=$(random)
printf '%s' "$password" > secrets/database-password
printf '%s' "$password" > secrets/node-database-password
secret=$(random)
printf 'aws_access_key_id = sinete\naws_secret_access_key = %s\n' "$secret" > secrets/store-credentials
printf '{"identities":[{"name":"sinete","credentials":[{"accessKey":"sinete","secretKey":"%s"}],"actions":["Read:documents","Write:documents","List:documents"]}]}\n' \
  "$secret" > secrets/store-identities.json
"${SINETE:-sinete}" master-key make "$PWD/secrets/master.key"

# The folder is for root alone; a container sees single files of it. 10001 is the user of Sinete, 999 that of PostgreSQL.
chown 0:10001 secrets/master.key secrets/node-database-password secrets/store-credentials
chmod 0440 secrets/master.key secrets/node-database-password secrets/store-credentials
chown 999:999 secrets/database-password
chmod 0400 secrets/database-password secrets/store-identities.json
