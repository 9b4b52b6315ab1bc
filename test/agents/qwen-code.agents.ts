import { describeAgent } from './every-agent';
import { qwenCode } from './qwen-code';

await describeAgent(qwenCode);
