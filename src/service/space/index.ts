/** Disk space for documents. */
export { describeSize } from './room.ts';
export { DiskRoom } from './disk-room.ts';
export {
  boundlessRoom,
  type DocumentBytes,
  type Reserved,
  type Room,
  type RoomTaken,
  type RoomView,
  type Space,
} from './room.ts';
