import { claudeCode } from './claude-code';
import { describeAgent } from './every-agent';

await describeAgent(claudeCode);
