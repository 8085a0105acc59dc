<?php

declare(strict_types=1);

namespace Sinete;

/**
 * The single exception of this client. `reason` is one of:
 *
 * - `NOT_INSTALLED`: no port of this computer answers: start Sinete.
 * - `UNREACHABLE`: the address does not answer, or the connection broke.
 * - `NOT_ALLOWED`: the owner or the person has not given the permission.
 * - `CREDENTIALS_REQUIRED`: a token is missing, wrong or expired.
 * - `CERTIFICATE_REQUIRED`: there is no certificate, or several without a choice.
 * - `INPUT_INVALID`: the request was understood and cannot be fulfilled; `problem` names the fields.
 * - `BUSY`: a limit was reached, or a token or a server is unavailable: repeat after `retryAfter` seconds.
 * - `TIMEOUT`: the documents were not finished within the caller's `timeout`.
 * - `NOT_GENUINE`: a callback or an answer of the authorize page is not what it claims to be.
 * - `FAILED`: anything else.
 */
final class SineteError extends \RuntimeException
{
    public function __construct(
        public readonly string $reason,
        string $message,
        public readonly ?Problem $problem = null,
        public readonly ?int $retryAfter = null,
    ) {
        parent::__construct($message);
    }

    /**
     * The error for a refusal. @internal
     *
     * @param array<string, string> $headers names in lower case
     */
    public static function ofAnswer(int $status, array $headers, string $body): self
    {
        $problem = Problem::read($status, $body);
        $after = $headers['retry-after'] ?? '';
        return new self(self::reasonOf($problem), $problem->detail, $problem, ctype_digit($after) ? (int) $after : null);
    }

    private static function reasonOf(Problem $problem): string
    {
        if (preg_match('/^CERTIFICATE_(AMBIGUOUS|NOT_FOUND)/', $problem->code) === 1) {
            return 'CERTIFICATE_REQUIRED';
        }
        return match ($problem->status) {
            401 => 'CREDENTIALS_REQUIRED',
            403 => 'NOT_ALLOWED',
            429, 503 => 'BUSY',
            400, 404, 409, 410, 413, 415, 422 => 'INPUT_INVALID',
            default => 'FAILED',
        };
    }
}
