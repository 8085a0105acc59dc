<?php

declare(strict_types=1);

namespace Sinete;

/** The body of a refusal (RFC 9457). */
final class Problem
{
    /**
     * @param string $code of Sinete's closed list, such as `CERTIFICATE_AMBIGUOUS`
     * @param string $detail a sentence with the remedy
     * @param list<array{field: string, code: string, detail: string}> $errors the wrong fields
     */
    public function __construct(
        public readonly int $status,
        public readonly string $code,
        public readonly string $detail,
        public readonly array $errors = [],
    ) {
    }

    /** Reads the three forms of a refusal: RFC 9457, RFC 6749, and that of the local helper. @internal */
    public static function read(int $status, string $body): self
    {
        $fields = json_decode($body, true);
        $fields = is_array($fields) ? $fields : [];
        $helper = is_array($fields['detail'] ?? null) ? $fields['detail'] : [];
        $code = $helper['status'] ?? $fields['code'] ?? $fields['error'] ?? null;
        $detail = $helper['message'] ?? $fields['detail'] ?? $fields['error_description'] ?? null;
        $errors = [];
        foreach (is_array($fields['errors'] ?? null) ? $fields['errors'] : [] as $one) {
            $errors[] = [
                'field' => (string) ($one['field'] ?? ''),
                'code' => (string) ($one['code'] ?? ''),
                'detail' => (string) ($one['detail'] ?? ''),
            ];
        }
        return new self(
            $status,
            is_string($code) ? $code : "HTTP_{$status}",
            is_string($detail) ? $detail : "Sinete answered with status {$status}.",
            $errors,
        );
    }
}
