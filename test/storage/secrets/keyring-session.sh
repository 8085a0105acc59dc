#!/bin/sh
# Runs a command beside a gnome-keyring of its own: KEYRING_PASSPHRASE makes or unlocks its "login" collection.
# KEYRING_DAEMON and GDBUS are the paths of gnome-keyring-daemon and gdbus.
# Usage, inside dbus-run-session and with a private HOME and XDG_RUNTIME_DIR: keyring-session.sh command...
set -eu
printf '%s' "$KEYRING_PASSPHRASE" > "$XDG_RUNTIME_DIR/passphrase"
"$KEYRING_DAEMON" --foreground --unlock --components=secrets < "$XDG_RUNTIME_DIR/passphrase" > /dev/null 2>&1 &
keyring=$!
trap 'kill "$keyring" 2> /dev/null || true' EXIT
has_owner() {
  "$GDBUS" call --session --dest org.freedesktop.DBus --object-path /org/freedesktop/DBus \
    --method org.freedesktop.DBus.NameHasOwner org.freedesktop.secrets | grep -q true
}
tries=0
until has_owner; do
  tries=$((tries + 1))
  [ "$tries" -lt 100 ] || { echo 'gnome-keyring did not start' >&2; exit 99; }
  sleep 0.1
done
"$@"
