import { onTestFinished } from 'vitest';
import { type Behaviour, type ModelServer, startModelServer } from './scripted-model-server';

export * from './scripted-chat';
export * from './scripted-model-server';

/** A scripted server that is closed after the test. */
export async function modelServer(...behaviours: readonly Behaviour[]): Promise<ModelServer> {
  const server = await startModelServer(...behaviours);
  onTestFinished(() => server.close());
  return server;
}
