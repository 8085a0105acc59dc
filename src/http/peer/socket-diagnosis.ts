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

/** `nlmsghdr` and `inet_diag_req_v2`: bytes, and where the fields stand. */
const request = { length: 72, family: 16, protocol: 17, states: 20, ids: 24, cookie: 64 } as const;
/** `nlmsghdr` and `inet_diag_msg`: bytes, and where the fields stand. `error` is that of `nlmsgerr`. */
const answer = { length: 88, type: 4, sequence: 8, error: 16, state: 17, ids: 20, user: 80, inode: 84 } as const;

/** Asks for one TCP socket of this computer, in constant time. */
export interface SocketDiagnosis {
  /** The user of the peer's established socket; undefined for no such socket; `no-answer` for a kernel that refuses. */
  readonly userOf: (ends: ConnectionEnds) => number | undefined | 'no-answer';
}

let opened: Promise<SocketDiagnosis | undefined> | undefined;

/** sock_diag through koffi; undefined where the C library, the kernel or a sandbox does not offer it. */
export async function openSocketDiagnosis(): Promise<SocketDiagnosis | undefined> {
  return (opened ??= open());
}

async function open(): Promise<SocketDiagnosis | undefined> {
  try {
    const { default: koffi } = await import('koffi');
    const library = koffi.load('libc.so.6');
    const calls = {
      // koffi unloads a library without references, and its functions are none.
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
    // Reused: each answer is read before the next question.
    const space = Buffer.alloc(8192);
    return {
      userOf: (ends) => {
        sequence = (sequence + 1) % 2 ** 32;
        const question = writeQuestion(ends, sequence);
        // The kernel has put the answer into the socket's queue when the question's call returns.
        if (Number(calls.send(descriptor, question, question.length, 0)) !== question.length) return 'no-answer';
        const length = Number(calls.receive(descriptor, space, space.length, MSG_DONTWAIT));
        return length < 0 ? 'no-answer' : readAnswer(space.subarray(0, length), ends, sequence);
      },
    };
  } catch {
    return undefined;
  }
}

/** The question for the socket whose own end is the peer's end of the connection. */
export function writeQuestion(ends: ConnectionEnds, sequence: number): Buffer {
  // From Node's pool, because each new connection is asked about.
  const question = Buffer.allocUnsafe(request.length).fill(0);
  question.writeUInt32LE(request.length, 0);
  question.writeUInt16LE(SOCK_DIAG_BY_FAMILY, answer.type);
  question.writeUInt16LE(NLM_F_REQUEST, 6);
  question.writeUInt32LE(sequence, answer.sequence);
  question[request.family] = addressBytes(ends.remoteAddress).length === 4 ? AF_INET : AF_INET6;
  question[request.protocol] = IPPROTO_TCP;
  question.writeUInt32LE(0xffffffff, request.states);
  question.set(identityForms(ends)[0] ?? [], request.ids);
  question.fill(0xff, request.cookie, request.cookie + 8);
  return question;
}

/**
 * Reads the answer to the question about `ends`. Only an established socket with an inode and with exactly these ends
 * has a user: the kernel also answers with closing sockets, and with a listening socket for a connection that it does
 * not know.
 */
export function readAnswer(reply: Buffer, ends: ConnectionEnds, sequence: number): number | undefined | 'no-answer' {
  if (reply.length < answer.error + 4 || reply.readUInt32LE(answer.sequence) !== sequence) return 'no-answer';
  const type = reply.readUInt16LE(answer.type);
  if (type === NLMSG_ERROR) return reply.readInt32LE(answer.error) === -ENOENT ? undefined : 'no-answer';
  if (type !== SOCK_DIAG_BY_FAMILY || reply.length < answer.length) return 'no-answer';
  const isAsked = identityForms(ends).some((form) => form.equals(reply.subarray(answer.ids, answer.ids + form.length)));
  if (!isAsked || reply[answer.state] !== ESTABLISHED || reply.readUInt32LE(answer.inode) === 0) return undefined;
  return reply.readUInt32LE(answer.user);
}

/** `inet_diag_sockid` up to the interface. An IPv6 socket with an IPv4 address has both addresses in mapped form. */
function identityForms(ends: ConnectionEnds): readonly Buffer[] {
  const ports = Buffer.alloc(4);
  ports.writeUInt16BE(ends.remotePort, 0);
  ports.writeUInt16BE(ends.localPort, 2);
  const [from, to] = [addressBytes(ends.remoteAddress), addressBytes(ends.localAddress)];
  if (from.length === 16) return [Buffer.concat([ports, from, to])];
  const padding = Buffer.alloc(12);
  return [
    Buffer.concat([ports, from, padding, to, padding]),
    Buffer.concat([ports, mappedBytes(from), mappedBytes(to)]),
  ];
}
