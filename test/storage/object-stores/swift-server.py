#!/usr/bin/python3
"""
OpenStack Swift, as Debian packages it, with its S3 layer: proxy, account, container and object server in one process,
one copy of everything. Needs no rights beyond a folder: `swift-server.py FOLDER KEY SECRET BUCKET ...`. The folder's
file system has to keep extended attributes. Prints the port of the proxy once it answers; ends with standard input.
"""
import os
import sys
import threading

import eventlet

eventlet.monkey_patch(thread=False)

from eventlet import wsgi  # noqa: E402
from swift.common import utils  # noqa: E402
from swift.common.ring import RingBuilder  # noqa: E402
from swift.common.swob import Request  # noqa: E402
from swift.common.wsgi import SwiftHttpProtocol, loadapp  # noqa: E402

FOLDER, KEY, SECRET, *BUCKETS = sys.argv[1:]
PART_POWER, REPLICAS, MIN_PART_HOURS = 4, 1, 1
ACCOUNT = KEY.split(':', 1)[0]

BACKEND = """[DEFAULT]
devices = {folder}/devices
swift_dir = {folder}
mount_check = false
fallocate_reserve = 0
log_level = ERROR
[pipeline:main]
pipeline = {kind}-server
[app:{kind}-server]
use = egg:swift#{kind}
"""

PROXY = """[DEFAULT]
swift_dir = {folder}
log_level = ERROR
[pipeline:main]
pipeline = catch_errors s3api tempauth slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_{user} = {secret} .admin
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
"""


class Cache(dict):
    """What the proxy asks of memcached, kept in this process."""

    def __bool__(self):
        return True

    def get(self, key, *_args, **_kwargs):
        return dict.get(self, key)

    def set(self, key, value, *_args, **_kwargs):
        self[key] = value

    def incr(self, key, delta=1, **_kwargs):
        self[key] = dict.get(self, key, 0) + delta
        return self[key]

    def delete(self, key, **_kwargs):
        self.pop(key, None)


def write(name, text):
    path = os.path.join(FOLDER, name)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    return path


def listen():
    socket = eventlet.listen(('127.0.0.1', 0))
    return socket, socket.getsockname()[1]


def make_ring(kind, port):
    builder = RingBuilder(PART_POWER, REPLICAS, MIN_PART_HOURS)
    place = {'region': 1, 'zone': 1, 'weight': 1, 'device': 'disk', 'meta': ''}
    address = {'ip': '127.0.0.1', 'port': port, 'replication_ip': '127.0.0.1', 'replication_port': port}
    builder.add_dev({**place, **address})
    builder.rebalance()
    builder.get_ring().save(os.path.join(FOLDER, kind + '.ring.gz'))


def serve(socket, app):
    quiet = open(os.devnull, 'w', encoding='utf-8')
    options = {'protocol': SwiftHttpProtocol, 'capitalize_response_headers': False}
    eventlet.spawn(wsgi.server, socket, app, quiet, **options)


def main():
    os.makedirs(os.path.join(FOLDER, 'devices', 'disk'))
    utils.SWIFT_CONF_FILE = write('swift.conf', '[swift-hash]\nswift_hash_path_suffix = tests\n')
    utils.validate_configuration()
    for kind in ('account', 'container', 'object'):
        socket, port = listen()
        make_ring(kind, port)
        path = write(kind + '-server.conf', BACKEND.format(folder=FOLDER, kind=kind))
        serve(socket, loadapp(path, global_conf={'log_name': kind}))
    user = KEY.replace(':', '_')
    path = write('proxy-server.conf', PROXY.format(folder=FOLDER, user=user, secret=SECRET))
    inner, cache = loadapp(path, global_conf={'log_name': 'proxy'}), Cache()

    def proxy(environment, start_response):
        environment['swift.cache'] = cache
        return inner(environment, start_response)

    for bucket in BUCKETS:
        make_bucket(proxy, bucket)
    socket, port = listen()
    serve(socket, proxy)
    print(port, flush=True)


def make_bucket(proxy, bucket):
    """As the account's owner, past the check of who asks."""
    path = '/v1/AUTH_%s/%s' % (ACCOUNT, bucket)
    environment = {'REQUEST_METHOD': 'PUT', 'swift.authorize_override': True, 'swift.authorize': lambda _request: None}
    answer = Request.blank(path, environ=environment).get_response(proxy)
    if answer.status_int // 100 != 2:
        raise SystemExit('The bucket %s could not be made: %s' % (bucket, answer.status))


def end_with_input():
    sys.stdin.buffer.read()
    os._exit(0)


main()
threading.Thread(target=end_with_input, daemon=True).start()
while True:
    eventlet.sleep(3600)
