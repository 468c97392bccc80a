import type { Settings } from './cli/settings.ts';

/** What bounds the clients of a server, as its settings say. */
export const limitsOf = (settings: Settings) => ({
  maxConnections: settings.maxConnections,
  maxConnectionsPerAddress: settings.maxConnectionsPerAddress,
  maxMessage: settings.maxMessageSize,
  sendTimeout: settings.sendTimeout,
  messageTimeout: settings.messageTimeout,
  messageMemory: settings.messageMemory,
  messageMemoryPerAddress: settings.messageMemoryPerAddress,
  maxBatch: settings.maxBatchSize,
  statementMemory: settings.maxStatementMemory,
  sessionMemory: settings.maxSessionMemory,
  loginMemory: settings.maxLoginMemory,
  serverMemory: settings.maxMemory,
  loginTimeout: settings.loginTimeout,
  packetSize: settings.packetSize,
  lockTimeout: settings.lockTimeout,
  executionTimeout: settings.executionTimeout,
  idleTransactionTimeout: settings.idleTransactionTimeout,
  transactionTimeout: settings.transactionTimeout,
  blockingTimeout: settings.blockingTimeout,
});
