/**
 * An instance killed. Parameters: its root folder, where to notify, and how many transactions to begin with. Continues
 * the existing work, prints a line for each beginning, and ends when everything is signed and delivered.
 */
import { letTimePass } from '../../setup/waits.ts';
import { openNotificationWorld } from './notification-world.ts';

const [, , root = '', callback = '', count = '0'] = process.argv;
const world = await openNotificationWorld({
  root,
  notifications: { limits: { retryDelays: [300, 300, 300, 300, 300, 300], timeout: 5000 } },
});
await world.world.transactions.resume();
for (let left = Number(count); left > 0; left -= 1) {
  const { tcn } = await world.create(callback, { mode: 'async' });
  console.log(`created ${tcn}`);
}
for (;;) {
  const { WAITING } = await world.world.transactions.countByStatus();
  const rows = await world.notifications.list(500);
  if (WAITING === 0 && rows.every(({ status }) => status === 'DELIVERED')) break;
  await letTimePass(20);
}
await world.stop();
