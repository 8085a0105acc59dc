<?php

declare(strict_types=1);

namespace Sinete;

/** The verdict on a signature. It does not replace the official validation site. */
final class Validation
{
    /**
     * @param array{status: bool, code: int, message?: string} $signature integrity of all signatures
     * @param array{status: bool, code: int, message?: string} $date validity dates of the certificate
     * @param array{status: bool, code: int, message?: string} $crl revocation
     * @param array{status: bool, code: int, chain: string} $trust trust of the chain
     * @param array<string, mixed> $raw the whole answer, new fields included
     */
    public function __construct(
        public readonly bool $valid,
        public readonly array $signature,
        public readonly array $date,
        public readonly array $crl,
        public readonly array $trust,
        public readonly array $raw,
    ) {
    }

    /**
     * @internal
     * @param array<string, mixed> $body
     */
    public static function read(array $body): self
    {
        $detail = $body['detail'];
        return new self($body['status'], $detail['signature'], $detail['date'], $detail['crl'], $detail['trust'], $body);
    }
}
