import assert from 'node:assert/strict';
import { createServer, request as httpRequest, Agent, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { judgeRequest, type GuardQuestion } from '../../src/http/local-guard.ts';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';
import { interleave, median, compared, milliseconds, type Benchmark } from './harness.ts';

const DECISIONS = 200_000;
const REQUESTS = 1500;
const UNDER_WAY = 8;

/** A request of a granted site, with the longest way through the guard. */
const question: GuardQuestion = {
  peer: 'same-user',
  hasProof: false,
  method: 'POST',
  route: 'user:write',
  grant: ['user:read', 'user:write', 'sign'],
  ownHosts: new Set(['127.0.0.1:17171', 'localhost:17171', '[::1]:17171']),
  host: '127.0.0.1:17171',
  origin: 'https://portal.example',
  upgrade: undefined,
  fetchSite: 'cross-site',
  fetchMode: 'cors',
  fetchDest: 'empty',
};

/** Microseconds of a single decision. */
async function decide(): Promise<number> {
  let passed = 0;
  const took = await milliseconds(() => {
    for (let count = 0; count < DECISIONS; count += 1) if (judgeRequest(question).kind === 'pass') passed += 1;
  });
  assert.equal(passed, DECISIONS);
  return (took * 1000) / DECISIONS;
}

/** Microseconds allowed to a decision; a decision is far below, even on a busy machine. */
async function limit(): Promise<number> {
  return Promise.resolve(5);
}

/** Express alone, with an answer of the same body, in this process. */
async function bareRoute(body: unknown): Promise<{ readonly server: Server; readonly port: number }> {
  const app = express();
  app.get('/selected-user', (_request, response) => {
    response.json(body);
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

/** Answers a second, over connections kept open. */
async function rate(port: number, agent: Agent): Promise<number> {
  let left = REQUESTS;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await getOnce(port, agent);
    }
  };
  const took = await milliseconds(async () => Promise.all(Array.from({ length: UNDER_WAY }, worker)));
  return (REQUESTS * 1000) / took;
}

async function getOnce(port: number, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path: '/selected-user', agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`It answers ${String(response.statusCode)}.`));
      response.resume().once('end', resolve);
    });
    request.once('error', reject);
    request.end();
  });
}

async function selectSomebody(instance: RealInstance): Promise<unknown> {
  const [code = ''] = await instance.enrol('ANA LIMA', '11144477735');
  const added = await instance.send('POST', '/user', { fields: { username: '11144477735', password: code } });
  assert.equal(added.status, 201);
  return (await instance.send('GET', '/selected-user')).content;
}

export const benchmark: Benchmark = {
  name: 'The guard, and GET /selected-user against a bare Express route in the same process',
  async run() {
    const instance = await startRealInstance();
    const bare = await bareRoute(await selectSomebody(instance));
    const agent = new Agent({ keepAlive: true, maxSockets: UNDER_WAY });
    try {
      const decisions = await interleave({ guard: decide, limit });
      const answers = await interleave({
        sinete: async () => rate(instance.port, agent),
        bare: async () => rate(bare.port, agent),
      });
      return [
        {
          what: 'one decision of the guard, of 5 microseconds',
          ...compared(decisions, 'guard', 'limit'),
          bound: { atMost: 1 },
          detail: `${(median(decisions.guard) * 1000).toFixed(0)} ns a request`,
        },
        {
          what: 'GET /selected-user, guarded and logged',
          ...compared(answers, 'sinete', 'bare'),
          bound: { atLeast: 0.6 },
          detail: `${median(answers.sinete).toFixed(0)}/s against ${median(answers.bare).toFixed(0)}/s`,
        },
      ];
    } finally {
      agent.destroy();
      bare.server.closeAllConnections();
      bare.server.close();
      await instance.stop();
    }
  },
};
