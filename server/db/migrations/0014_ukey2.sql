CREATE TABLE "ukey2_activations" (
	"identifier_id" uuid PRIMARY KEY NOT NULL,
	"code_hash" text,
	"code_until" timestamp (3) with time zone,
	"phone" text,
	"activated_at" timestamp (3) with time zone,
	CONSTRAINT "ukey2_activations_code_hash_unique" UNIQUE("code_hash")
);
--> statement-breakpoint
ALTER TABLE "ukey2_activations" ADD CONSTRAINT "ukey2_activations_identifier_id_identifiers_id_fk" FOREIGN KEY ("identifier_id") REFERENCES "public"."identifiers"("id") ON DELETE cascade ON UPDATE no action;