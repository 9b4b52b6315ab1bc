import { codex } from './codex';
import { describeAgent } from './every-agent';

await describeAgent(codex);
