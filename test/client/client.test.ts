import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sinete } from '../../src/client/index.ts';
import { recordingAssistant } from '../browser/recording-assistant.ts';
import { startTestServer, type TestServer } from '../http/start-test-server.ts';

/** The client in Node, not in a page: no browser stands between the client and the computer. */
describe('the client in a program', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({ assistant: recordingAssistant([]) });
  });
  afterAll(async () => server.stop());

  it('finds the helper without a page and without a permission', async () => {
    const sinete = await Sinete.find({ ports: [server.port] });
    expect(sinete).toMatchObject({ address: server.url, version: expect.stringMatching(/^\d/) as string });
  });

  it('reads the missing photo of a person as an empty text', async () => {
    const sinete = await Sinete.find({ ports: [server.port] });
    expect(await sinete.selectedUser()).toEqual({ name: 'ANA LIMA', username: '11144477735', photo: '' });
  });

  it('says the helper is not there where no port answers', async () => {
    const gone = await startTestServer();
    await gone.stop();
    await expect(Sinete.find({ ports: [gone.port] })).rejects.toMatchObject({ code: 'NOT_INSTALLED' });
  });
});
