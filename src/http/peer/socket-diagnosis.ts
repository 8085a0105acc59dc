import { addressBytes, mappedBytes, type ConnectionEnds } from './connection-ends.ts';

/** Constants of sock_diag(7), netlink(7) and socket(2). */
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const SOCK_RAW_CLOEXEC = 3 | 0x80000;
const NETLINK_SOCK_DIAG = 4;
const SOCK_DIAG_BY_FAMILY = 20;
const NLMSG_ERROR = 2;
const NLM_F_REQUEST = 1;
const IPPROTO_TCP = 6;
const MSG_DONTWAIT = 0x40;
const ENOENT = 2;
/** tcp_states.h */
const ESTABLISHED = 1;

/** `nlmsghdr` and `inet_diag_req_v2`: length in bytes, and offsets of the fields. */
const request = { length: 72, family: 16, protocol: 17, states: 20, ids: 24, cookie: 64 } as const;
/** `nlmsghdr` and `inet_diag_msg`: length in bytes, and offsets of the fields. `error` belongs to `nlmsgerr`. */
const answer = { length: 88, type: 4, sequence: 8, error: 16, state: 17, ids: 20, user: 80, inode: 84 } as const;

/** Queries one TCP socket of this computer, in constant time. */
export interface SocketDiagnosis {
  /**
   * The user of the peer's established socket; undefined if there is no such socket; `no-answer` if the kernel refuses.
   */
  readonly userOf: (ends: ConnectionEnds) => number | undefined | 'no-answer';
}

let opened: Promise<SocketDiagnosis | undefined> | undefined;

/** sock_diag through koffi; undefined if the C library, the kernel or a sandbox does not offer it. */
export async function openSocketDiagnosis(): Promise<SocketDiagnosis | undefined> {
  return (opened ??= open());
}

async function open(): Promise<SocketDiagnosis | undefined> {
  try {
    const { default: koffi } = await import('koffi');
    const library = koffi.load('libc.so.6');
    const calls = {
      // Keeps a reference: koffi unloads an unreferenced library, and its functions then become unusable.
      library,
      send: library.func('send', 'int64', ['int', 'void *', 'size_t', 'int']),
      receive: library.func('recv', 'int64', ['int', 'void *', 'size_t', 'int']),
    };
    const descriptor: unknown = library.func('socket', 'int', ['int', 'int', 'int'])(
      AF_NETLINK,
      SOCK_RAW_CLOEXEC,
      NETLINK_SOCK_DIAG,
    );
    if (typeof descriptor !== 'number' || descriptor < 0) return undefined;
    let sequence = 0;
    // Both buffers are reused: a query is sent for each new connection, and its answer is read before the next query.
    const [question, space] = [Buffer.alloc(request.length), Buffer.alloc(8192)];
    return {
      userOf: (ends) => {
        sequence = (sequence + 1) % 2 ** 32;
        writeQuestion(ends, sequence, question);
        // When `send` returns, the kernel has already put the answer into the socket's queue.
        if (Number(calls.send(descriptor, question, request.length, 0)) !== request.length) return 'no-answer';
        const length = Number(calls.receive(descriptor, space, space.length, MSG_DONTWAIT));
        return readAnswer(space, ends, sequence, length);
      },
    };
  } catch {
    return undefined;
  }
}

/**
 * Writes the kernel request about the peer's socket (sock_diag, RFC 3549). The ends are exchanged: the peer's local
 * address is our remote address.
 */
export function writeQuestion(ends: ConnectionEnds, sequence: number, question = Buffer.alloc(request.length)): Buffer {
  const from = addressBytes(ends.remoteAddress);
  question.writeUInt32LE(request.length, 0);
  question.writeUInt16LE(SOCK_DIAG_BY_FAMILY, answer.type);
  question.writeUInt16LE(NLM_F_REQUEST, 6);
  question.writeUInt32LE(sequence, answer.sequence);
  question[request.family] = from.length === 4 ? AF_INET : AF_INET6;
  question[request.protocol] = IPPROTO_TCP;
  question.fill(0xff, request.states, request.states + 4);
  writeIdentity(ends, { from, to: addressBytes(ends.localAddress) }, question, request.ids);
  question.fill(0xff, request.cookie, request.cookie + 8);
  return question;
}

/**
 * Reads the answer to the question about `ends`, in the first `length` bytes of `reply`. Only an established socket
 * with an inode and with exactly these ends has a user: the kernel also answers with closing sockets, and with a
 * listening socket for a connection that it does not know.
 */
export function readAnswer(
  reply: Buffer,
  ends: ConnectionEnds,
  sequence: number,
  length = reply.length,
): number | undefined | 'no-answer' {
  if (length < answer.error + 4 || reply.readUInt32LE(answer.sequence) !== sequence) return 'no-answer';
  const type = reply.readUInt16LE(answer.type);
  if (type === NLMSG_ERROR) return reply.readInt32LE(answer.error) === -ENOENT ? undefined : 'no-answer';
  if (type !== SOCK_DIAG_BY_FAMILY || length < answer.length) return 'no-answer';
  if (!isAbout(reply, ends) || reply[answer.state] !== ESTABLISHED || reply.readUInt32LE(answer.inode) === 0) {
    return undefined;
  }
  return reply.readUInt32LE(answer.user);
}

/** Bytes of `inet_diag_sockid` up to the interface: two ports, and two addresses of 16 bytes. */
const IDENTITY = 36;

/** This buffer is reused: each identity is compared before the next identity is written. */
const identity = Buffer.alloc(IDENTITY);

/** True if an answer has exactly these ends. An IPv6 socket with an IPv4 address has both addresses in mapped form. */
function isAbout(reply: Buffer, ends: ConnectionEnds): boolean {
  const [from, to] = [addressBytes(ends.remoteAddress), addressBytes(ends.localAddress)];
  const isIn = (form: Addresses): boolean => {
    writeIdentity(ends, form, identity, 0);
    return identity.compare(reply, answer.ids, answer.ids + IDENTITY) === 0;
  };
  return isIn({ from, to }) || (from.length === 4 && isIn({ from: mappedBytes(from), to: mappedBytes(to) }));
}

/** The addresses of a connection, from the peer's end to ours: 4 or 16 bytes each. */
interface Addresses {
  readonly from: Buffer;
  readonly to: Buffer;
}

/** Writes `inet_diag_sockid` up to the interface at `place`. */
function writeIdentity(ends: ConnectionEnds, { from, to }: Addresses, into: Buffer, place: number): void {
  into.fill(0, place, place + IDENTITY);
  into.writeUInt16BE(ends.remotePort, place);
  into.writeUInt16BE(ends.localPort, place + 2);
  into.set(from, place + 4);
  into.set(to, place + 20);
}
