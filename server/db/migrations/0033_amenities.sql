CREATE TABLE "amenities" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"address" text,
	"description" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"persons_min" integer DEFAULT 1 NOT NULL,
	"persons_max" integer DEFAULT 500 NOT NULL,
	"time_slots" jsonb NOT NULL,
	"image_file" uuid,
	"terms_file" uuid
);
--> statement-breakpoint
CREATE TABLE "amenity_groups" (
	"amenity_id" uuid NOT NULL,
	"group_id" uuid NOT NULL,
	CONSTRAINT "amenity_groups_amenity_id_group_id_pk" PRIMARY KEY("amenity_id","group_id")
);
--> statement-breakpoint
CREATE TABLE "amenity_reservations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"project_id" uuid NOT NULL,
	"amenity_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"persons" integer NOT NULL,
	"date" date NOT NULL,
	"from_seconds" integer NOT NULL,
	"to_seconds" integer NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"canceled_at" timestamp (3) with time zone,
	"user_offset" integer DEFAULT 0 NOT NULL,
	"reminded_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "amenity_rules" (
	"amenity_id" uuid NOT NULL,
	"rule_id" uuid NOT NULL,
	CONSTRAINT "amenity_rules_amenity_id_rule_id_pk" PRIMARY KEY("amenity_id","rule_id")
);
--> statement-breakpoint
CREATE TABLE "reservation_log" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"reservation_id" uuid NOT NULL,
	"action" text NOT NULL,
	"user_id" uuid,
	"user_name" text,
	"changes" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "amenities" ADD CONSTRAINT "amenities_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "amenity_groups" ADD CONSTRAINT "amenity_groups_amenity_id_amenities_id_fk" FOREIGN KEY ("amenity_id") REFERENCES "public"."amenities"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "amenity_groups" ADD CONSTRAINT "amenity_groups_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "amenity_reservations" ADD CONSTRAINT "amenity_reservations_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "amenity_reservations" ADD CONSTRAINT "amenity_reservations_amenity_id_amenities_id_fk" FOREIGN KEY ("amenity_id") REFERENCES "public"."amenities"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "amenity_reservations" ADD CONSTRAINT "amenity_reservations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "amenity_rules" ADD CONSTRAINT "amenity_rules_amenity_id_amenities_id_fk" FOREIGN KEY ("amenity_id") REFERENCES "public"."amenities"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "amenity_rules" ADD CONSTRAINT "amenity_rules_rule_id_access_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."access_rules"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reservation_log" ADD CONSTRAINT "reservation_log_reservation_id_amenity_reservations_id_fk" FOREIGN KEY ("reservation_id") REFERENCES "public"."amenity_reservations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reservation_log" ADD CONSTRAINT "reservation_log_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "amenities_name" ON "amenities" USING btree ("project_id",lower("name"));--> statement-breakpoint
CREATE INDEX "amenity_groups_back" ON "amenity_groups" USING btree ("group_id");--> statement-breakpoint
CREATE UNIQUE INDEX "amenity_reservations_slot" ON "amenity_reservations" USING btree ("amenity_id","starts_at") WHERE "amenity_reservations"."canceled_at" is null;--> statement-breakpoint
CREATE INDEX "amenity_reservations_user" ON "amenity_reservations" USING btree ("user_id","starts_at");--> statement-breakpoint
CREATE INDEX "amenity_reservations_time" ON "amenity_reservations" USING btree ("project_id","starts_at","id");--> statement-breakpoint
CREATE INDEX "amenity_rules_back" ON "amenity_rules" USING btree ("rule_id");--> statement-breakpoint
CREATE INDEX "reservation_log_reservation" ON "reservation_log" USING btree ("reservation_id","occurred_at");