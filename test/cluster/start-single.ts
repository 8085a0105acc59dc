/** One instance on SQLite behind nginx, with the identity and the application of a cluster's nodes. */
import { freePort, makeWorkplace, serve, type ServingProcess } from '../app/run-sinete.ts';
import { commonEnvironment, ownEnvironment, prepare, type Service } from './start-cluster.ts';
import { startProxy, type Proxy } from './start-proxy.ts';

/** A running instance. */
export interface SingleInstance extends Service {
  readonly process: ServingProcess;
  readonly proxy: Proxy;
  stop(): Promise<void>;
}

/** Starts the instance; `callbacks` is the port of the receiver, `nodeWords` are words for Node itself. */
export async function startSingle(callbacks: number, nodeWords: readonly string[] = []): Promise<SingleInstance> {
  const place = await makeWorkplace();
  const common = { ...place, environment: commonEnvironment(place, callbacks) };
  const application = await prepare(common);
  const port = await freePort();
  const proxy = await startProxy(place.folder, [port]);
  const environment = { ...common.environment, ...ownEnvironment(port, application) };
  const process = await serve({ ...place, environment }, ['--allow-root'], undefined, nodeWords);
  return {
    port: proxy.port,
    application,
    process,
    proxy,
    async stop() {
      await proxy.stop();
      await process.stop('SIGKILL');
      await place.remove();
    },
  };
}
