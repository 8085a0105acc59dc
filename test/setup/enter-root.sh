#!/bin/sh
# Runs a command inside a Debian root: enter-root.sh ROOT LOG COMMAND…
#
# Called by debian-root.ts in mount and process namespaces of its own, so that every mount and every process is gone when
# it ends. The output of the command goes to the file LOG: programs under Wine cannot write to a Unix pipe.
set -eu
root=$1 log=$2
shift 2
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 dev "$root/dev"
for device in null zero full random urandom tty; do
  : >"$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
ln -s /proc/self/fd/0 "$root/dev/stdin"
ln -s /proc/self/fd/1 "$root/dev/stdout"
ln -s /proc/self/fd/2 "$root/dev/stderr"
mkdir "$root/dev/shm" "$root/dev/pts"
mount -t tmpfs -o mode=1777 shm "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
exec chroot "$root" "$@" </dev/null >"$log" 2>&1
