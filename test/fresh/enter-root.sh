# Runs as the first process of new mount, process and, with "apart", network namespaces. Makes FOLDER the root of its
# file systems and then lives until standard input ends. All mounts vanish with it, and all processes below it.
# Parameters: FOLDER, SHARED (mounted at /mnt inside), "apart" or "connected"
set -e
folder=$1
shared=$2
network=$3

mount --bind "$folder" "$folder"
cd "$folder"
mount -t proc proc proc
if [ "$network" = apart ]; then
  # A machine of its own on the network: the loopback interface, IPv4 only.
  [ ! -e proc/sys/net/ipv6 ] || echo 1 >proc/sys/net/ipv6/conf/all/disable_ipv6
  ip link set lo up
fi
mount -t sysfs -o ro sysfs sys
mount -t tmpfs -o mode=755 tmpfs dev
for name in null zero full random urandom tty; do
  touch "dev/$name"
  mount --bind "/dev/$name" "dev/$name"
done
ln -s /proc/self/fd dev/fd
ln -s fd/0 dev/stdin
ln -s fd/1 dev/stdout
ln -s fd/2 dev/stderr
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts dev/pts
ln -s pts/ptmx dev/ptmx
# Chromium keeps the memory that its processes share there.
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mkdir -p .machine
mount --bind "$shared" mnt
# A true root rather than chroot: a process in a chroot may not make user namespaces.
pivot_root . .machine
cd /
umount -l /.machine
rmdir /.machine
PATH=/usr/bin:/bin
echo ready
# Waiting for the reader, the shell also collects the ended processes that nobody else waits for.
exec 3<&0
cat <&3 >/dev/null &
exec 3<&-
wait
